import type { Block, Weekday } from '@looptide/contracts/schedule'
import { blockMinutes } from '@looptide/planner/grid'
import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { DAY_MINUTES, STEP_MINUTES } from '../model/times.ts'

/** Movement that distinguishes a drag from a click, in px. */
const THRESHOLD_PX = 5
/** Time that a finger must rest before it drags instead of scrolling, in ms. */
const LONG_PRESS_MS = 350

/** What a drag does: draw a new block, move one, or change its start or its end. */
export type DragKind = 'create' | 'move' | 'from' | 'to'

/** A drag in progress, with the place that a drop would give the block: minutes since midnight of `toDay`. */
export interface Drag {
  kind: DragKind
  block: Block | undefined
  day: Weekday
  toDay: Weekday
  from: number
  to: number
}

/** A press that may become a drag: the pointer's place in the grid when it began. */
type Press = Drag & { pointerId: number; x: number; y: number; atMinute: number; isActive: boolean }

/**
 * Draws, moves and resizes blocks in the week grid by mouse, pen or touch, in steps of 15 minutes. A finger drags after a
 * long press, so that it can scroll the page. Escape cancels. Our own, because the drag library of the project
 * reorders lists only.
 */
export function useGridDrag(grid: RefObject<HTMLElement | null>, onDrop: (drag: Drag) => void) {
  const press = useRef<Press>(undefined)
  const timer = useRef<number>(undefined)
  /** A drag has just ended: the click that the browser sends afterwards is not meant for the block. */
  const hasDragged = useRef(false)
  const { value: drag, newest, show } = useNewest<Drag>()

  const end = () => {
    window.clearTimeout(timer.current)
    press.current = undefined
    show(undefined)
  }
  useCancel(drag !== undefined, grid, end)

  const start = (event: PointerEvent<HTMLElement>, kind: DragKind, day: Weekday, block?: Block) => {
    const pressed = pressOf(grid.current, event, { kind, day, block })
    if (event.button !== 0 || pressed === undefined) return
    event.stopPropagation()
    hasDragged.current = false
    press.current = pressed
    const { pointerId, currentTarget } = event
    if (event.pointerType !== 'touch') return
    timer.current = window.setTimeout(() => {
      if (press.current?.pointerId !== pointerId) return
      currentTarget.setPointerCapture(pointerId)
      activate(press.current)
    }, LONG_PRESS_MS)
  }
  const activate = (active: Press) => {
    active.isActive = true
    hasDragged.current = true
    show(dragOf(active))
  }
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    const active = press.current
    if (active === undefined || active.pointerId !== event.pointerId) return
    if (!active.isActive) {
      if (Math.hypot(event.clientX - active.x, event.clientY - active.y) < THRESHOLD_PX) return
      if (event.pointerType === 'touch') return end()
      event.currentTarget.setPointerCapture(event.pointerId)
      activate(active)
    }
    const at = placeAt(grid.current, event)
    if (at) show(movedTo(active, at))
  }
  const onPointerUp = () => {
    const active = press.current
    if (active === undefined) return
    const result = newest.current ?? (active.kind === 'create' ? dragOf(active) : undefined)
    end()
    if (result) onDrop(result)
  }
  return {
    drag,
    start,
    hasDragged: () => hasDragged.current,
    handlers: { onPointerMove, onPointerUp, onPointerCancel: end },
  }
}

/** A state whose newest value is known before it is rendered: a drop may follow the last movement at once. */
function useNewest<Value>() {
  const newest = useRef<Value>(undefined)
  const [value, setValue] = useState<Value>()
  const show = (next: Value | undefined) => {
    newest.current = next
    setValue(next)
  }
  return { value, newest, show }
}

/** A press on a block, or on empty time. Undefined outside the grid. */
function pressOf(
  grid: HTMLElement | null,
  event: PointerEvent<HTMLElement>,
  { kind, day, block }: Pick<Drag, 'kind' | 'day' | 'block'>,
): Press | undefined {
  const at = placeAt(grid, event)
  if (at === undefined) return undefined
  const minute = snap(at.minute)
  const span = block ? blockMinutes(block) : { from: minute, to: minute + 60 }
  const { clientX: x, clientY: y, pointerId } = event
  return { kind, block, day, toDay: day, ...span, pointerId, x, y, atMinute: at.minute, isActive: false }
}

/** While a drag is active, Escape cancels it, and a finger does not scroll the page. */
function useCancel(isActive: boolean, grid: RefObject<HTMLElement | null>, cancel: () => void): void {
  const latest = useRef(cancel)
  useEffect(() => {
    latest.current = cancel
  })
  useEffect(() => {
    const element = grid.current
    if (!isActive || element === null) return
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      latest.current()
    }
    const hold = (event: Event) => event.preventDefault()
    window.addEventListener('keydown', onKey, true)
    element.addEventListener('touchmove', hold, { passive: false })
    element.addEventListener('contextmenu', hold)
    return () => {
      window.removeEventListener('keydown', onKey, true)
      element.removeEventListener('touchmove', hold)
      element.removeEventListener('contextmenu', hold)
    }
  }, [isActive, grid])
}

const snap = (minute: number): number =>
  Math.min(Math.max(0, Math.floor(minute / STEP_MINUTES) * STEP_MINUTES), DAY_MINUTES - STEP_MINUTES)

const dragOf = ({ kind, block, day, toDay, from, to }: Press): Drag => ({ kind, block, day, toDay, from, to })

/** The place that a press has been dragged to. */
function movedTo(press: Press, at: { day: Weekday; minute: number }): Drag {
  const drag = dragOf(press)
  const minutes = Math.round((at.minute - press.atMinute) / STEP_MINUTES) * STEP_MINUTES
  switch (press.kind) {
    case 'create': {
      const [first, last] = [snap(press.atMinute), snap(at.minute)]
      return { ...drag, from: Math.min(first, last), to: Math.max(first, last) + STEP_MINUTES }
    }
    case 'move': {
      const from = Math.min(Math.max(0, press.from + minutes), DAY_MINUTES - STEP_MINUTES)
      return { ...drag, toDay: at.day, from, to: from + press.to - press.from }
    }
    case 'from':
      return { ...drag, from: Math.min(Math.max(0, press.from + minutes), press.to - STEP_MINUTES) }
    case 'to':
      return {
        ...drag,
        to: Math.min(Math.max(press.from + STEP_MINUTES, press.to + minutes), press.from + DAY_MINUTES),
      }
  }
}

/** The column nearest to a pointer and the minute of the day at its height. */
function placeAt(grid: HTMLElement | null, { clientX, clientY }: { clientX: number; clientY: number }) {
  const columns = [...(grid?.querySelectorAll<HTMLElement>('[data-day]') ?? [])].map((element) => ({
    day: element.dataset.day as Weekday,
    box: element.getBoundingClientRect(),
  }))
  const distance = ({ box }: (typeof columns)[number]) => Math.abs(box.left + box.width / 2 - clientX)
  const nearest = columns.toSorted((a, b) => distance(a) - distance(b))[0]
  if (nearest === undefined) return undefined
  const { day, box } = nearest
  return { day, minute: ((clientY - box.top) / box.height) * DAY_MINUTES }
}
