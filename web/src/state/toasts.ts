/** Short words at the edge of the page: what was done, with a way back, or what went wrong and what to do. */

import { ref } from 'vue'
import { ApiError } from '@/api/client'
import { isLoggedOut } from './account'
import { failureWords } from './failures'

export interface Toast {
  id: number
  text: string
  isBad: boolean
  action?: { label: string; run: () => void }
}

const LASTS = 6000
const BAD_LASTS = 12_000
const MOST = 4
const UNAUTHORIZED = 401

export const toasts = ref<Toast[]>([])
let last = 0

export function say(text: string, more: { isBad?: boolean; action?: Toast['action']; lasts?: number } = {}): number {
  last += 1
  const id = last
  const isBad = more.isBad ?? false
  toasts.value = [...toasts.value, { id, text, isBad, ...(more.action ? { action: more.action } : {}) }].slice(-MOST)
  window.setTimeout(() => dismiss(id), more.lasts ?? (isBad ? BAD_LASTS : LASTS))
  return id
}

export function dismiss(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id)
}

/** Do it; where it fails the person is told, and undefined is given. */
export async function trying<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    // The way in says it already.
    if (!(isLoggedOut.value && error instanceof ApiError && error.status === UNAUTHORIZED)) say(failureWords(error), { isBad: true })
    return undefined
  }
}
