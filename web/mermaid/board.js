/** Draws diagrams for the page that this one is framed in. It has no origin, no network and no way out but this message. */
;(() => {
  const mermaid = window.mermaid
  let last = Promise.resolve()

  window.addEventListener('message', (event) => {
    if (event.source !== window.parent) return
    const { id, code, isDark } = event.data
    // One after the other: Mermaid's settings are those of the page.
    last = last.then(() => draw(id, code, isDark))
  })

  async function draw(id, code, isDark) {
    mermaid.initialize({
      startOnLoad: false,
      securityLevel: 'strict',
      htmlLabels: false,
      flowchart: { htmlLabels: false },
      theme: isDark ? 'dark' : 'neutral',
      fontFamily: 'ui-sans-serif, system-ui, sans-serif',
    })
    try {
      const { svg } = await mermaid.render(`diagram-${id}`, code)
      window.parent.postMessage({ id, svg: asXml(svg) }, '*')
    } catch (error) {
      window.parent.postMessage({ id, error: String(error && error.message) }, '*')
    }
    document.querySelectorAll('body > :not(script)').forEach((left) => left.remove())
  }

  /** An image is read as XML, which is stricter than HTML, and wants to know its size. */
  function asXml(svg) {
    const holder = document.createElement('div')
    holder.innerHTML = svg
    const drawing = holder.querySelector('svg')
    const [, , width, height] = (drawing.getAttribute('viewBox') || '').split(/[\s,]+/)
    if (width && height) {
      drawing.setAttribute('width', width)
      drawing.setAttribute('height', height)
    }
    return new XMLSerializer().serializeToString(drawing)
  }

  window.parent.postMessage('ready', '*')
})()
