import type { Block, Weekday } from '@looptide/contracts/schedule'
import { blockMinutes } from '@looptide/planner/grid'
import { useLayoutEffect, useRef, useState } from 'react'
import { usePageKeys } from '../../../lib/keys/page-keys.ts'
import { moveBlock, type Occurrence, resizeBlock } from '../model/block-edits.ts'
import { dayAfter, dayName, STEP_MINUTES, spanLabel } from '../model/times.ts'
import type { WeekActions } from './week-actions.ts'

/** The keys of a focused block, for the list of keys. */
const BLOCK_KEYS = {
  title: 'Focused block',
  keys: [
    { keys: '↑ ↓', label: 'Move by 15 minutes' },
    { keys: '← →', label: 'Move by a day' },
    { keys: 'Shift+↑ Shift+↓', label: 'Change the end' },
    { keys: 'Enter', label: 'Open' },
    { keys: 'Delete', label: 'Remove from the day' },
  ],
}

/** Changes of single blocks, with an announcement for screen readers; the changed block keeps the focus. */
export function useBlockKeys(
  grid: React.RefObject<HTMLElement | null>,
  blocks: readonly Block[],
  actions: WeekActions,
) {
  usePageKeys(BLOCK_KEYS)
  useFocusFollowing(grid, blocks)
  const [announcement, setAnnouncement] = useState('')
  const focusNext = useRef<string>(undefined)
  useLayoutEffect(() => {
    if (focusNext.current === undefined) return
    const target = grid.current?.querySelector<HTMLElement>(
      `[data-occurrence="${CSS.escape(focusNext.current)}"]`,
    )
    if (!target) return
    focusNext.current = undefined
    target.focus({ preventScroll: true })
    target.scrollIntoView({ block: 'nearest' })
  })
  const apply = (next: Block[], part: string, { blockId, day }: Occurrence) => {
    const changed =
      next.find(({ id, days }) => id === blockId && days.includes(day)) ??
      next.find(({ id, days }) => days.includes(day) && !blocks.some((block) => block.id === id))
    actions.change(() => next, part)
    if (!changed) return
    focusNext.current = occurrenceKey(changed.id, day)
    setAnnouncement(`${changed.name}: ${dayName(day)} ${spanLabel(changed)}`)
  }
  const move = (block: Block, day: Weekday, toDay: Weekday, from: number) =>
    apply(moveBlock(blocks, { blockId: block.id, day }, toDay, from), `move ${block.id}`, {
      blockId: block.id,
      day: toDay,
    })
  const resize = (block: Block, day: Weekday, change: { from?: number; to?: number }) =>
    apply(resizeBlock(blocks, block.id, change), `resize ${block.id}`, { blockId: block.id, day })

  const onKey = (event: React.KeyboardEvent, { block, startDay }: { block: Block; startDay: Weekday }) => {
    const { from, to } = blockMinutes(block)
    const step = event.key === 'ArrowUp' ? -STEP_MINUTES : STEP_MINUTES
    if (event.key === 'Delete' || event.key === 'Backspace') actions.remove(block, startDay)
    else if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
      if (event.shiftKey) resize(block, startDay, { to: to + step })
      else move(block, startDay, startDay, from + step)
    } else if ((event.key === 'ArrowLeft' || event.key === 'ArrowRight') && !event.shiftKey) {
      move(block, startDay, dayAfter(startDay, event.key === 'ArrowLeft' ? -1 : 1), from)
    } else return
    // The arrow keys would also move the focus (app/remote-control.ts).
    event.preventDefault()
  }
  return { announcement, edit: { move, resize, onKey } }
}

/** Keeps the focus on a block that another than its own key moves to another day, such as Undo. */
function useFocusFollowing(grid: React.RefObject<HTMLElement | null>, blocks: readonly Block[]): void {
  const focused = useRef<string>(undefined)
  useLayoutEffect(() => {
    const remember = () => {
      focused.current = document.activeElement?.getAttribute('data-occurrence')?.split(' ')[0]
    }
    document.addEventListener('focusin', remember)
    return () => document.removeEventListener('focusin', remember)
  }, [])
  useLayoutEffect(() => {
    if (focused.current === undefined || document.activeElement !== document.body) return
    grid.current?.querySelector<HTMLElement>(`[data-occurrence^="${CSS.escape(focused.current)} "]`)?.focus()
  }, [blocks])
}

/** The value of `data-occurrence` by which a block is found again after it has moved. */
export const occurrenceKey = (blockId: string, day: Weekday): string => `${blockId} ${day}`
