/** Formulas as MathML, which browsers draw by themselves. What draws them is loaded with the first one. */

import DOMPurify from 'dompurify'

export async function drawFormulas(place: HTMLElement): Promise<void> {
  const found = [...place.querySelectorAll<HTMLElement>('[data-math]')]
  if (!found.length) return
  const { default: temml } = await import('temml')
  for (const element of found) {
    const tex = element.dataset.math ?? ''
    delete element.dataset.math
    try {
      const drawn = temml.renderToString(tex, { displayMode: element.dataset.display === '1', throwOnError: true, trust: false })
      element.replaceChildren(unstyled(drawn))
    } catch {
      // What can't be drawn stays as it was written.
      element.textContent = tex
    }
  }
}

/** The page's policy takes no style that stands in the text, but one that is set is as good. */
function unstyled(mathml: string): DocumentFragment {
  const template = document.createElement('template')
  const styles: string[] = []
  const bare = mathml.replace(/ style="([^"]*)"/g, (_, style: string) => ` data-style="${styles.push(style) - 1}"`)
  template.innerHTML = DOMPurify.sanitize(bare, { USE_PROFILES: { mathMl: true } })
  for (const element of template.content.querySelectorAll<HTMLElement>('[data-style]')) {
    for (const rule of (styles[Number(element.dataset.style)] ?? '').split(';')) {
      const [name = '', value = ''] = rule.split(':')
      if (name.trim()) element.style.setProperty(name.trim(), value.trim())
    }
    delete element.dataset.style
  }
  return template.content
}
