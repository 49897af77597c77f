/** Diagrams are drawn in a sandboxed page: what draws them wants styles in the text, which this page does not allow. */

interface Wanted {
  code: string
  isDark: boolean
  done: (svg: string) => void
  failed: (error: Error) => void
}

interface Answer {
  id: number
  svg?: string
  error?: string
}

const PATIENCE = 20_000
const MOST_LETTERS = 50_000
let frame: Promise<Window> | undefined
let count = 0
const wanted = new Map<number, Wanted>()

/** The diagram as SVG. */
export async function drawn(code: string, isDark: boolean): Promise<string> {
  if (code.length > MOST_LETTERS) throw new Error('too long to be drawn')
  const page = await (frame ??= opened())
  count += 1
  const id = count
  return new Promise((done, failed) => {
    const timer = setTimeout(() => settle(id)?.failed(new Error('it took too long')), PATIENCE)
    const after = <T>(then: (given: T) => void) => (given: T) => {
      clearTimeout(timer)
      then(given)
    }
    wanted.set(id, { code, isDark, done: after(done), failed: after(failed) })
    page.postMessage({ id, code, isDark }, '*')
  })
}

/** The page is there when it says so for the first time. */
function opened(): Promise<Window> {
  const element = document.createElement('iframe')
  element.setAttribute('sandbox', 'allow-scripts')
  element.setAttribute('aria-hidden', 'true')
  element.tabIndex = -1
  element.title = 'mermaid'
  element.className = 'drawing-board'
  element.src = '/mermaid.html'
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      frame = undefined
      element.remove()
      reject(new Error('what draws diagrams could not be loaded'))
    }, PATIENCE)
    window.addEventListener('message', (event: MessageEvent<Answer | 'ready'>) => {
      const page = element.contentWindow
      if (!page || event.source !== page) return
      if (event.data === 'ready') {
        clearTimeout(timer)
        resolve(page)
      } else answered(event.data)
    })
    document.body.append(element)
  })
}

function answered(answer: Answer): void {
  const one = settle(answer.id)
  if (typeof answer.svg === 'string') one?.done(answer.svg)
  else one?.failed(new Error(String(answer.error)))
}

function settle(id: number): Wanted | undefined {
  const one = wanted.get(id)
  wanted.delete(id)
  return one
}
