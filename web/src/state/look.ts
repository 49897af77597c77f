/** Light, dark, or as the system: the person's choice, kept in the browser. */

import { computed, ref, watch, watchEffect, type Ref } from 'vue'

export type Theme = 'light' | 'dark' | 'system'
const KEY = 'toolpost.theme'

const system = window.matchMedia('(prefers-color-scheme: dark)')
const systemIsDark = ref(system.matches)
system.addEventListener('change', () => (systemIsDark.value = system.matches))

export const theme = ref<Theme>(chosen())
export const isDark = computed(() => theme.value === 'dark' || (theme.value === 'system' && systemIsDark.value))

export function setTheme(value: Theme): void {
  theme.value = value
  localStorage.setItem(KEY, value)
}

/** A choice that is a name. */
export function keptText(key: string): Ref<string> {
  const text = ref(localStorage.getItem(key) ?? '')
  watch(text, (value) => localStorage.setItem(key, value))
  return text
}

/** Whether something of the page is open, as the person left it. */
export function keptFlag(key: string, usual: boolean): Ref<boolean> {
  const kept = localStorage.getItem(key)
  const flag = ref(kept === null ? usual : kept === 'yes')
  watch(flag, (value) => localStorage.setItem(key, value ? 'yes' : 'no'))
  return flag
}

watchEffect(() => {
  document.documentElement.dataset.theme = isDark.value ? 'dark' : 'light'
})

function chosen(): Theme {
  const kept = localStorage.getItem(KEY)
  return kept === 'light' || kept === 'dark' ? kept : 'system'
}
