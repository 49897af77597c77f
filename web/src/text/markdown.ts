/** Markdown as this page reads it: GitHub's kind, with formulas. */

import { Marked, type Token, type Tokens } from 'marked'
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

export function lex(markdown: string): Token[] {
  return marked.lexer(markdown)
}

/** HTML that is not safe yet. Formulas are left as `<span data-math>` for whoever draws them. */
export function toHtml(markdown: string): string {
  return marked.parse(markdown, { async: false })
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
 * and no digit after them. */
function math(level: 'inline' | 'block') {
  const forms =
    level === 'inline'
      ? /^(?:\$\$([^$\n]+?)\$\$|\$(?![\s$])((?:[^$\\\n]|\\.)+?)(?<!\s)\$(?!\d)|\\\(([^\n]+?)\\\))/
      : /^ {0,3}(?:\$\$\s*([\s\S]+?)\s*\$\$|\\\[\s*([\s\S]+?)\s*\\\])[^\S\n]*(?:\n|$)/
  return {
    name: `math-${level}`,
    level,
    start: (text: string) => text.match(level === 'inline' ? /\$|\\\(/ : /(?<=\n) {0,3}(?:\$\$|\\\[)/)?.index,
    tokenizer(text: string) {
      const found = forms.exec(text)
      return found ? { type: `math-${level}`, raw: found[0], tex: found[1] ?? found[2] ?? found[3] ?? '' } : undefined
    },
    renderer(token: Tokens.Generic) {
      const tex = escape(String(token.tex))
      return level === 'inline' ? `<span data-math="${tex}">${tex}</span>` : `<p><span data-math="${tex}" data-display="1">${tex}</span></p>`
    },
  }
}
