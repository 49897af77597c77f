/** Markdown as this page reads it: GitHub's kind, with formulas. */

import { Lexer, Marked, type Token, type Tokens, type TokensList } from 'marked'
import { hostOf } from './links'

export const SAFE_LINK = /^(?:https?:|mailto:|#)/i
export const APART = 'noopener noreferrer nofollow'

const marked = new Marked({
  gfm: true,
  breaks: false,
  extensions: [math('block'), math('inline')],
  renderer: {
    /** An image would be fetched at once, and tell who reads this: so it is a link. */
    image({ href, text, title }: Tokens.Image) {
      const host = hostOf(href)
      const shown = [text || title, host && `(${host})`].filter(Boolean).join(' ')
      return anchor(href, 'image-link', escape(shown || href))
    },
    link({ href, tokens }: Tokens.Link) {
      return anchor(href, '', this.parser.parseInline(tokens))
    },
    /** HTML in the text of a model is text. */
    html({ text }: Tokens.HTML | Tokens.Tag) {
      return escape(text)
    },
  },
})

/** Quotes in quotes, lists in lists: what is deeper is text. */
const DEEPEST_BLOCK = 32
/** Emphasis in links in emphasis. */
const DEEPEST_INLINE = 24
/** So many signs that may begin something are looked at in one run of text; a run with more is text. */
const MOST_SIGNS = 2000
const SIGNS = /[*_~`$[\]<!\\&@:]|www\./g

/** Whatever a text holds, its nesting stays within the stack, and the work within the length of the text. */
class BoundedLexer extends Lexer {
  private blockDepth = 0
  private inlineDepth = 0

  override blockTokens(source: string, tokens?: Token[], clipped?: boolean): Token[]
  override blockTokens(source: string, tokens?: TokensList, clipped?: boolean): TokensList
  override blockTokens(source: string, tokens: Token[] = [], clipped?: boolean): Token[] {
    if (this.blockDepth >= DEEPEST_BLOCK) {
      if (source) tokens.push({ type: 'paragraph', raw: source, text: source, tokens: [plain(source)] })
      return tokens
    }
    this.blockDepth++
    try {
      return super.blockTokens(source, tokens, clipped)
    } finally {
      this.blockDepth--
    }
  }

  override inlineTokens(source: string, tokens: Token[] = []): Token[] {
    if (this.inlineDepth >= DEEPEST_INLINE || (source.match(SIGNS)?.length ?? 0) > MOST_SIGNS) {
      tokens.push(plain(source))
      return tokens
    }
    this.inlineDepth++
    try {
      return super.inlineTokens(source, tokens)
    } finally {
      this.inlineDepth--
    }
  }
}

/** The blocks alone: what is in them is looked at when they are drawn. */
export function lex(markdown: string): Token[] {
  return new BoundedLexer(marked.defaults).blockTokens(markdown.replace(/\r\n|\r/g, '\n'), [])
}

/** HTML that is not safe yet. Formulas are left as `<span data-math>` for whoever draws them. */
export function toHtml(markdown: string): string {
  return marked.parser(new BoundedLexer(marked.defaults).lex(markdown))
}

function plain(text: string): Tokens.Text {
  return { type: 'text', raw: text, text, escaped: false }
}

export function escape(text: string): string {
  const names: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
  return text.replace(/[&<>"']/g, (sign) => names[sign] ?? sign)
}

/** It opens in a page of its own, which learns nothing of this one. What leads nowhere safe is only text. */
function anchor(href: string, name: string, inner: string): string {
  if (!SAFE_LINK.test(href)) return inner
  return `<a${name && ` class="${name}"`} href="${escape(href)}" target="_blank" rel="${APART}">${inner}</a>`
}

/** `$…$` and `\(…\)` in a line, `$$…$$` and `\[…\]` on lines of their own. A price is no formula: no space inside the signs,
 * and no digit after them. What is not closed soon is none: to look for the end
 * of each to the end of the text would take forever. */
function math(level: 'inline' | 'block') {
  const forms =
    level === 'inline'
      ? /^(?:\$\$([^$\n]{1,1000}?)\$\$|\$(?![\s$])((?:[^$\\\n]|\\.){1,1000}?)(?<!\s)\$(?!\d)|\\\(([^\n]{1,1000}?)\\\))/
      : /^ {0,3}(?:\$\$([\s\S]{1,4000}?)\$\$|\\\[([\s\S]{1,4000}?)\\\])[^\S\n]*(?:\n|$)/
  return {
    name: `math-${level}`,
    level,
    start: (text: string) => (level === 'inline' ? text.match(/\$|\\\(/)?.index : formulaIn(text, forms)),
    tokenizer(text: string) {
      const found = forms.exec(text)
      return found ? { type: `math-${level}`, raw: found[0], tex: (found[1] ?? found[2] ?? found[3] ?? '').trim() } : undefined
    },
    renderer(token: Tokens.Generic) {
      const tex = escape(String(token.tex))
      return level === 'inline' ? `<span data-math="${tex}">${tex}</span>` : `<p><span data-math="${tex}" data-display="1">${tex}</span></p>`
    },
  }
}

/** Where in the first paragraph a formula on lines of its own begins. One that is never closed does not end a paragraph. */
function formulaIn(text: string, forms: RegExp): number | undefined {
  const end = text.search(/\n[^\S\n]*\n/)
  for (const sign of text.slice(0, end < 0 ? undefined : end).matchAll(/(?<=\n) {0,3}(?:\$\$|\\\[)/g)) {
    if (forms.test(text.slice(sign.index))) return sign.index
  }
}
