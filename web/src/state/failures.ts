/** What went wrong, in words that say what to do. */

import { ApiError } from '@/api/client'
import { fill, t } from '@/i18n'

/** Says all that there is to say. */
export class Notice extends Error {}

export function failureWords(error: unknown): string {
  if (error instanceof Notice) return error.message
  if (!(error instanceof ApiError)) return fill(t.failure.unknown, { text: error instanceof Error ? error.message : String(error) })
  if (error.status === 0) return t.failure.unreachable
  if (error.status === 401) return t.failure.authentication
  if (error.status === 413) return t.failure.tooLarge
  return sentence(error.message)
}

/** The server's own words begin in lower case, as after a colon. */
export function sentence(text: string): string {
  const whole = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.!?。！？]$/.test(whole) ? whole : `${whole}.`
}
