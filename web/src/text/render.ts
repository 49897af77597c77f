/** Markdown to HTML that can do nothing: no script, no style, no form, nothing that is fetched by itself. */

import DOMPurify from 'dompurify'
import { APART, escape, SAFE_LINK, toHtml } from './markdown'

const ALLOWED_TAGS = [
  'a', 'b', 'blockquote', 'br', 'code', 'del', 'details', 'div', 'em', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'hr', 'i',
  'input', 'kbd', 'li', 'mark', 'ol', 'p', 'pre', 's', 'span', 'strong', 'sub', 'summary', 'sup', 'table', 'tbody',
  'td', 'th', 'thead', 'tr', 'ul',
] // prettier-ignore
const ALLOWED_ATTR = ['href', 'title', 'class', 'align', 'start', 'type', 'checked', 'disabled', 'data-math', 'data-display']

DOMPurify.addHook('afterSanitizeAttributes', (node) => {
  if (node.tagName === 'A') {
    const href = node.getAttribute('href') ?? ''
    if (!SAFE_LINK.test(href)) node.removeAttribute('href')
    node.setAttribute('target', '_blank')
    node.setAttribute('rel', APART)
  }
  if (node.tagName === 'INPUT') {
    node.setAttribute('type', 'checkbox')
    node.setAttribute('disabled', '')
  }
})

/** One block of Markdown as safe HTML. Formulas are left as `<span data-math>` for whoever draws them. */
export function render(markdown: string): string {
  // It would give back what it was given.
  if (!DOMPurify.isSupported) return escape(markdown)
  return DOMPurify.sanitize(toHtml(markdown), { ALLOWED_TAGS, ALLOWED_ATTR, ALLOW_DATA_ATTR: false, ALLOW_ARIA_ATTR: false })
}
