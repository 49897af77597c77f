import { describe, expect, it } from 'vitest'
import type { UsageRow } from '@/api/admin'
import { grouped, hasFree, total } from '@/components/admin/usage'

const row = (user: string, model: string, cost: number): UsageRow => ({ user, model, requests: 2, input_tokens: 100, output_tokens: 10, cost })
const rows = [row('ann', 'small', 0.1), row('ann', 'large', 3), row('bob', 'small', 0), row('bob', 'large', 1)]

describe('usage', () => {
  it('is summed by person and by model, the dearest first', () => {
    expect(grouped(rows, 'people').map((sum) => [sum.user, sum.model, sum.cost])).toEqual([['ann', '', 3.1], ['bob', '', 1]])
    expect(grouped(rows, 'models').map((sum) => [sum.user, sum.model, sum.requests])).toEqual([['', 'large', 4], ['', 'small', 4]])
    expect(grouped(rows, 'both')).toHaveLength(4)
  })

  it('has totals', () => {
    expect(total(rows)).toMatchObject({ requests: 8, input_tokens: 400, output_tokens: 40, cost: 4.1 })
    expect(total([])).toMatchObject({ requests: 0, cost: 0 })
  })

  it('says where something cost nothing', () => {
    expect([hasFree(rows), hasFree(rows.slice(0, 2)), hasFree([])]).toEqual([true, false, false])
  })

  it('keeps names apart that would be the same when joined', () => {
    expect(grouped([row('a', 'b c', 1), row('a b', 'c', 1)], 'both')).toHaveLength(2)
  })
})
