import type { ChatMessage } from '@looptide/contracts/http/chat'
import { describe, expect, it } from 'vitest'
import { chatRows, dayName } from './chat-rows.ts'

const at = (seq: number, date: Date, userId = 'u'): ChatMessage => ({
  id: `id-${seq}`,
  channelId: 'default',
  seq,
  userId,
  author: { handle: 'ann', artistName: null, role: 'user' },
  message: `message ${seq}`,
  createdAt: date.toISOString(),
})
const now = new Date(2026, 10, 21, 9, 30)
const today = (hour: number, minute: number) => new Date(2026, 10, 21, hour, minute)

describe('the name of a day', () => {
  it.each([
    [new Date(2026, 10, 21, 0, 0), 'Today'],
    [new Date(2026, 10, 20, 23, 59), 'Yesterday'],
    [new Date(2026, 10, 14, 12, 0), 'Saturday 14 November'],
    [new Date(2025, 11, 31, 12, 0), 'Wednesday 31 December 2025'],
  ])('%s is %s', (instant, name) => {
    expect(dayName(instant, now, 'en-GB').replace(',', '')).toBe(name)
  })
})

describe('rows', () => {
  it('name the day where it changes, and today only after another day', () => {
    const rows = chatRows(
      [at(1, new Date(2026, 10, 20, 22, 0)), at(2, today(8, 0)), at(3, today(8, 1))],
      null,
      now,
    )
    expect(rows.map(({ day }) => day)).toEqual(['Yesterday', 'Today', undefined])
    expect(chatRows([at(1, today(8, 0))], null, now)[0]?.day).toBeUndefined()
  })

  it('name an author once for messages within a few minutes', () => {
    const rows = chatRows(
      [at(1, today(8, 0)), at(2, today(8, 4)), at(3, today(8, 10)), at(4, today(8, 11), 'other')],
      null,
      now,
    )
    expect(rows.map(({ isContinued }) => isContinued)).toEqual([false, true, false, false])
  })

  it('mark the first new message, even if the last one read was deleted', () => {
    const messages = [at(1, today(8, 0)), at(4, today(8, 1)), at(5, today(8, 2))]
    expect(chatRows(messages, 3, now).map(({ isFirstNew }) => isFirstNew)).toEqual([false, true, false])
    expect(chatRows(messages, 3, now).map(({ isContinued }) => isContinued)).toEqual([false, false, true])
    expect(chatRows(messages, 5, now).some(({ isFirstNew }) => isFirstNew)).toBe(false)
    expect(chatRows(messages, null, now).some(({ isFirstNew }) => isFirstNew)).toBe(false)
  })
})
