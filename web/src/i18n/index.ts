/** The language of the page: the person's choice, else the browser's. */

import { computed, ref, watchEffect } from 'vue'
import { en, type Texts } from './en'
import { zh } from './zh'

export type Language = 'en' | 'zh'
export const languages: Record<Language, string> = { en: 'English', zh: '中文' }
const KEY = 'toolpost.language'

export const language = ref<Language>(chosen())
/** All texts in the language of now: `t.app.newChat`. */
const texts = computed<Texts>(() => (language.value === 'zh' ? zh : en))
export const t = new Proxy({} as Texts, { get: (_, name: keyof Texts) => texts.value[name] })

/** Fill the blanks of a text: `fill('{n} files', { n: 3 })`. */
export function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (blank, name: string) => String(values[name] ?? blank))
}

export function setLanguage(value: Language): void {
  language.value = value
  localStorage.setItem(KEY, value)
}

watchEffect(() => {
  document.documentElement.lang = language.value === 'zh' ? 'zh-CN' : 'en'
})

function chosen(): Language {
  const kept = localStorage.getItem(KEY)
  if (kept === 'en' || kept === 'zh') return kept
  return navigator.language.toLowerCase().startsWith('zh') ? 'zh' : 'en'
}
