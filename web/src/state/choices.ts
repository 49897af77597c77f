/** How the model of one chat is asked, as a form has it and as the server keeps it. */

export const EFFORTS = ['low', 'medium', 'high'] as const
export type Effort = (typeof EFFORTS)[number]

export interface Choice {
  system: string
  options: Record<string, unknown>
}

/** A number field gives a number, or a text where nothing is in it. */
export interface Fields {
  system: string
  temperature: number | string
  maxTokens: number | string
  effort: string
}

export function toFields({ system, options }: Choice): Fields {
  const field = (name: string) => (typeof options[name] === 'number' ? (options[name] as number) : '')
  return {
    system,
    temperature: field('temperature'),
    maxTokens: field('max_tokens'),
    effort: typeof options.reasoning_effort === 'string' ? options.reasoning_effort : '',
  }
}

/** Options that the form does not know stay as they are. */
export function fromFields(fields: Fields, before: Choice): Choice {
  const { temperature: _t, max_tokens: _m, reasoning_effort: _e, ...others } = before.options
  const options: Record<string, unknown> = { ...others }
  if (fields.temperature !== '') options.temperature = Number(fields.temperature)
  if (fields.maxTokens !== '') options.max_tokens = Math.round(Number(fields.maxTokens))
  if (fields.effort) options.reasoning_effort = fields.effort
  return { system: fields.system.trim(), options }
}

/** Something here is not as usual. */
export function isOwn({ system, options }: Choice): boolean {
  return Boolean(system) || Object.keys(options).length > 0
}
