/** Addresses, and whether they lead to where they seem to. */

export function hostOf(url: string): string {
  return parsed(url)?.host ?? ''
}

/** An address that deserves a second look: a host in letters of another script, a name before the host, or a text that
 * shows another host. */
export function isOdd(href: string, text = ''): boolean {
  const url = parsed(href)
  if (!url) return true
  if (url.protocol === 'mailto:') return false
  if (url.username || url.password || /(?:^|\.)xn--/.test(url.hostname)) return true
  const shown = /^(?:https?:\/\/|www\.)[^\s/?#]+/i.exec(text.trim())?.[0]
  if (!shown) return false
  const seeming = parsed(shown.startsWith('www.') ? `https://${shown}` : shown)
  return bare(seeming?.hostname ?? '') !== bare(url.hostname)
}

function bare(host: string): string {
  return host.replace(/^www\./, '')
}

function parsed(url: string): URL | undefined {
  return URL.canParse(url) ? new URL(url) : undefined
}
