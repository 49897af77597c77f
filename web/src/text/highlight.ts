/** Colours for code, loaded when the first block of code has ended. */

import type { HighlighterCore } from 'shiki/core'

export interface Piece {
  text: string
  /** What it is: a name of a class, as in `tok-keyword`. */
  kind: string
}

const MOST_LETTERS = 100_000
const LANGUAGES: Record<string, () => Promise<unknown>> = {
  bash: () => import('shiki/langs/bash.mjs'),
  c: () => import('shiki/langs/c.mjs'),
  cpp: () => import('shiki/langs/cpp.mjs'),
  css: () => import('shiki/langs/css.mjs'),
  diff: () => import('shiki/langs/diff.mjs'),
  go: () => import('shiki/langs/go.mjs'),
  html: () => import('shiki/langs/html.mjs'),
  java: () => import('shiki/langs/java.mjs'),
  javascript: () => import('shiki/langs/javascript.mjs'),
  json: () => import('shiki/langs/json.mjs'),
  markdown: () => import('shiki/langs/markdown.mjs'),
  python: () => import('shiki/langs/python.mjs'),
  rust: () => import('shiki/langs/rust.mjs'),
  sql: () => import('shiki/langs/sql.mjs'),
  toml: () => import('shiki/langs/toml.mjs'),
  typescript: () => import('shiki/langs/typescript.mjs'),
  vue: () => import('shiki/langs/vue.mjs'),
  yaml: () => import('shiki/langs/yaml.mjs'),
}
const ALIASES: Record<string, string> = {
  'c++': 'cpp',
  htm: 'html',
  js: 'javascript',
  jsx: 'javascript',
  md: 'markdown',
  py: 'python',
  rs: 'rust',
  sh: 'bash',
  shell: 'bash',
  ts: 'typescript',
  tsx: 'typescript',
  xml: 'html',
  yml: 'yaml',
  zsh: 'bash',
}

let core: Promise<HighlighterCore> | undefined

/** Lines of coloured pieces; undefined where the language is unknown or there is too much of it. */
export async function highlighted(code: string, language: string): Promise<Piece[][] | undefined> {
  const name = languageOf(language)
  const load = name ? LANGUAGES[name] : undefined
  if (!name || !load || code.length > MOST_LETTERS) return undefined
  const shiki = await (core ??= start())
  if (!shiki.getLoadedLanguages().includes(name)) await shiki.loadLanguage((await load()) as never)
  const { tokens } = shiki.codeToTokens(code, { lang: name, theme: 'css-variables' })
  return tokens.map((line) => line.map((token) => ({ text: token.content, kind: kindOf(token.color) })))
}

export function languageOf(given: string): string | undefined {
  const name = given.trim().toLowerCase().split(/[\s{:]/)[0] ?? ''
  const known = ALIASES[name] ?? name
  return known in LANGUAGES ? known : undefined
}

async function start(): Promise<HighlighterCore> {
  const [{ createHighlighterCore, createCssVariablesTheme }, { createJavaScriptRegexEngine }] = await Promise.all([
    import('shiki/core'),
    import('shiki/engine/javascript'),
  ])
  // Names instead of colours: the page's own style says what they look like, and no style stands in the document.
  const theme = createCssVariablesTheme({ name: 'css-variables', variablePrefix: '--tok-' })
  return createHighlighterCore({ themes: [theme], langs: [], engine: createJavaScriptRegexEngine({ forgiving: true }) })
}

function kindOf(color: string | undefined): string {
  return /--tok-(?:token-)?([\w-]+)/.exec(color ?? '')?.[1] ?? ''
}
