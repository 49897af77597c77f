/** The page that draws diagrams, whole in one file: it is framed without an origin, and what has none gets nothing from the
 * server. */

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Plugin } from 'vite'

const library = createRequire(import.meta.url).resolve('mermaid/dist/mermaid.min.js')
const own = (name: string) => new URL(name, import.meta.url)

export function diagrams(): Plugin {
  return {
    name: 'diagrams',
    apply: 'build',
    async generateBundle() {
      const [mermaid, board, page] = await Promise.all([library, own('board.js'), own('mermaid.html')].map((file) => readFile(file, 'utf8')))
      const script = within(`${mermaid ?? ''}\n${board ?? ''}`)
      const source = (page ?? '').replace('__SCRIPT__', () => script)
      this.emitFile({ type: 'asset', fileName: 'mermaid.html', source })
    },
  }
}

/** In a document, these would end the script or change how it is read. */
function within(script: string): string {
  return script.replace(/\r\n?/g, '\n').replace(/<(?=\/?script)/gi, '\\x3c').replaceAll('<!--', '\\x3c!--')
}
