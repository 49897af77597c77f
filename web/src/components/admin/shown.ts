/** Numbers and times as people read them, in the page's language. */

import { language } from '@/i18n'

export function dayOf(time: number): string {
  return new Date(time * 1000).toLocaleDateString(language.value, { dateStyle: 'medium' })
}

export function timeOf(time: number): string {
  return new Date(time * 1000).toLocaleString(language.value, { dateStyle: 'medium', timeStyle: 'short' })
}

/** Since when something runs: “3 min”, “2 h 5 min”. */
export function spanOf(seconds: number): string {
  const unit = (value: number, unit: string) => new Intl.NumberFormat(language.value, { style: 'unit', unit, unitDisplay: 'short' }).format(value)
  const whole = Math.max(0, Math.floor(seconds))
  if (whole < 60) return unit(whole, 'second')
  const minutes = Math.floor(whole / 60)
  if (minutes < 60) return unit(minutes, 'minute')
  return `${unit(Math.floor(minutes / 60), 'hour')} ${unit(minutes % 60, 'minute')}`
}

export function countOf(value: number): string {
  return new Intl.NumberFormat(language.value).format(value)
}

/** Large counts of tokens, short enough for a phone. */
export function tokensOf(value: number): string {
  return new Intl.NumberFormat(language.value, { notation: 'compact', maximumFractionDigits: 1 }).format(value)
}

export function moneyOf(value: number): string {
  const digits = value && value < 1 ? 4 : 2
  return new Intl.NumberFormat(language.value, { style: 'currency', currency: 'USD', minimumFractionDigits: 2, maximumFractionDigits: digits }).format(value)
}
