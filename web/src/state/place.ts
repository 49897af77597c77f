/** Where the page is, kept in its address: a chat, a new one, the settings, the schedules, or the administration. */

import { computed, ref, watch } from 'vue'

const hash = ref(location.hash)
window.addEventListener('hashchange', () => (hash.value = location.hash))

export const chatId = computed(() => /^#\/c\/([\w-]+)/.exec(hash.value)?.[1])
export const isSettings = computed(() => hash.value.startsWith('#/settings'))
export const isAdmin = computed(() => /^#\/admin(\/|$)/.test(hash.value))
/** The part of the administration that is shown. */
export const adminSection = computed(() => /^#\/admin\/([\w-]+)/.exec(hash.value)?.[1] ?? '')
export const isSchedules = computed(() => hash.value.startsWith('#/schedules'))
/** Something else than a chat is shown. */
export const isBeside = computed(() => isSettings.value || isAdmin.value || isSchedules.value)

/** Where to go back to from there. */
export const lastChat = ref('/')
watch(chatId, (id) => (lastChat.value = isBeside.value ? lastChat.value : id ? `/c/${id}` : '/'), { immediate: true, flush: 'sync' })

export function goTo(place: string): void {
  location.hash = place
}

export function toChat(id: string): void {
  goTo(`/c/${id}`)
}
