import { describe, expect, it } from 'vitest'
import { fromFields, isOwn, toFields } from '@/state/choices'

describe('the options of a chat', () => {
  const choice = { system: 'Be brief.', options: { temperature: 0, max_tokens: 500, reasoning_effort: 'high', seed: 7 } }

  it('come through the form as they were', () => {
    expect(fromFields(toFields(choice), choice)).toEqual(choice)
  })

  it('are left to the model where a field is empty, and others stay', () => {
    const fields = { system: '  ', temperature: '', maxTokens: '', effort: '' }
    expect(fromFields(fields, choice)).toEqual({ system: '', options: { seed: 7 } })
  })

  it('are noticed where they are not as usual', () => {
    expect([isOwn(choice), isOwn({ system: '', options: {} })]).toEqual([true, false])
  })
})
