/** Errors in the language of the page. */

import { fill, language } from '.'
import * as en from './errors-en'
import * as zh from './errors-zh'

interface Told {
  code: string
  /** What many codes share: where a code has no words of its own, its kind may have some. */
  kind?: string
  text: string
  /** How long to wait before the next try. */
  seconds?: number | undefined
}

const tables = { en, zh }
const USUAL_WAIT = 60

/** What the server's error says; its own text where the page has no words for it. */
export function errorWords({ code, kind = '', text, seconds = USUAL_WAIT }: Told): string {
  const words = tables[language.value].errors
  const found = words[code] ?? words[kind]
  return found ? fill(found, { text: sentence(text), seconds: Math.ceil(seconds) }).trim() : sentence(text)
}

/** What a model's failure says, and the provider's own words beside it. */
export function modelErrorWords({ code, text }: Told): { words: string; detail: string } {
  const words = tables[language.value].modelErrors[code]
  return words ? { words, detail: text } : { words: sentence(text), detail: '' }
}

/** The server's own words begin in lower case, as after a colon. */
export function sentence(text: string): string {
  const whole = text.charAt(0).toUpperCase() + text.slice(1)
  return !whole || /[.!?。！？]$/.test(whole) ? whole : `${whole}.`
}
