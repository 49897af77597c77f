/** Send a form of the way in: once at a time, and what went wrong stands in it. */

import { ref, type Ref } from 'vue'
import { failureWords } from '@/state/failures'

export function useEntering(): { isBusy: Ref<boolean>; problem: Ref<string>; enter: (work: () => Promise<void>) => Promise<boolean> } {
  const isBusy = ref(false)
  const problem = ref('')

  async function enter(work: () => Promise<void>): Promise<boolean> {
    if (isBusy.value) return false
    isBusy.value = true
    problem.value = ''
    try {
      await work()
      return true
    } catch (error) {
      problem.value = failureWords(error)
      return false
    } finally {
      isBusy.value = false
    }
  }
  return { isBusy, problem, enter }
}
