/** What went wrong, in words that say what to do. */

import { ApiError } from '@/api/client'
import { fill, t } from '@/i18n'
import { errorWords } from '@/i18n/errors'

/** Says all that there is to say. */
export class Notice extends Error {}

export function failureWords(error: unknown): string {
  if (error instanceof Notice) return error.message
  if (!(error instanceof ApiError)) return fill(t.failure.unknown, { text: error instanceof Error ? error.message : String(error) })
  if (error.status === 0) return t.failure.unreachable
  return errorWords({ code: error.code, kind: error.kind, text: error.message, seconds: error.retryAfter })
}
