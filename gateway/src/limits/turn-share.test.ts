import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { TurnShare } from './turn-share.ts'

describe('A turn of the event loop', () => {
  it('has at most the share of each site, in the order of its calls', async () => {
    const share = new TurnShare(2)
    const begun: string[] = []
    const take = (name: string): void => share.take(name[0] ?? '', () => void begun.push(name))
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'b1']) take(name)
    expect(begun.splice(0)).toEqual(['a1', 'a2', 'b1'])
    await nextTurn()
    take('a6')
    take('b2')
    expect(begun.splice(0)).toEqual(['a3', 'a4', 'b2'])
    await nextTurn()
    expect(begun.splice(0)).toEqual(['a5', 'a6'])
    await nextTurn()
    for (const name of ['a7', 'a8', 'a9']) take(name)
    expect(begun).toEqual(['a7', 'a8'])
  })

  it('keeps the order of calls that begin others', async () => {
    const share = new TurnShare(1)
    const begun: number[] = []
    const take = (number: number): void =>
      share.take('a', () => {
        begun.push(number)
        if (number < 3) take(number + 10)
      })
    for (const number of [1, 2, 3]) take(number)
    for (let turn = 0; turn < 5; turn += 1) await nextTurn()
    expect(begun).toEqual([1, 11, 2, 3, 12])
  })
})
