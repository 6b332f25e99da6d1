import { useEffect, useLayoutEffect, useRef } from 'react'
import { backLayers } from '../../ui/back-layers.ts'
import { focusKindOf } from '../remote/remote-keys.ts'

const STORAGE_KEY = 'looptide-keys'

/**
 * Whether single keys act. They can be turned off, because speech input and a hand that slips press them unintentionally
 * (WCAG 2.2, 2.1.4).
 */
export function areKeysOn(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) !== 'off'
  } catch {
    return true
  }
}

/** Turns the keys on or off in this browser. */
export function setKeysOn(isOn: boolean): void {
  try {
    if (isOn) localStorage.removeItem(STORAGE_KEY)
    else localStorage.setItem(STORAGE_KEY, 'off')
  } catch {
    // Without storage the keys stay on.
  }
}

/** A key, or two keys one after the other, and what it does. */
export interface PageKey {
  /**
   * The names of the keys (`KeyboardEvent.key`) with spaces in between, e.g. `g l`; or one with Ctrl (on a Mac also
   * Command), e.g. `Ctrl+Z` and `Ctrl+Shift+Z`.
   */
  keys: string
  label: string
  /** Without it, the focused element acts on the key, which is only listed. */
  run?: () => void
}

/** Keys of one part of the page, which are listed together. */
export interface KeyGroup {
  title: string
  keys: readonly PageKey[]
}

/** The groups as last rendered. */
const groups: { current: KeyGroup }[] = []

/** The keys that work at present, in the order in which their parts of the page were shown. */
export const activeKeys = (): KeyGroup[] => groups.map(({ current }) => current)

/** Longest time between the two keys of a sequence, in ms. */
const SEQUENCE_MS = 1_500

/** The first key of a sequence, and when it was pressed (event time, ms). */
interface Pending {
  key: string
  atMs: number
}

/** What a key press means: keys of the list that are complete, or the first key of a sequence. */
export function matchKeys(
  known: readonly PageKey[],
  pressed: Pending,
  pending: Pending | undefined,
): { match?: PageKey; pending?: Pending } {
  const isInTime = pending !== undefined && pressed.atMs - pending.atMs <= SEQUENCE_MS
  const find = (wanted: string) => known.find(({ keys }) => keys === wanted)
  const match = (isInTime ? find(`${pending.key} ${pressed.key}`) : undefined) ?? find(pressed.key)
  if (match) return { match }
  return known.some(({ keys }) => keys.startsWith(`${pressed.key} `)) ? { pending: pressed } : {}
}

/** The name of a key that is pressed with Ctrl or Command, as `PageKey` has it; undefined for other keys. */
export function keyWithCtrl(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>,
): string | undefined {
  if (event.altKey || event.ctrlKey === event.metaKey) return undefined
  return `Ctrl+${event.shiftKey ? 'Shift+' : ''}${event.key.toUpperCase()}`
}

/** The keys of every editor that can undo its changes. */
export const undoKeys = (undo: (() => void) | undefined, redo: (() => void) | undefined): PageKey[] => [
  { keys: 'Ctrl+Z', label: 'Undo', run: () => undo?.() },
  { keys: 'Ctrl+Shift+Z', label: 'Redo', run: () => redo?.() },
  { keys: 'Ctrl+Y', label: 'Redo', run: () => redo?.() },
]

let pending: Pending | undefined

/** Focused elements that have a text, which they can undo themselves. */
const HAS_TEXT: readonly string[] = ['text', 'textarea', 'number', 'datetime']
/** Focused elements in which letters are text or choose an option. */
const TAKES_LETTERS: readonly string[] = [...HAS_TEXT, 'picker']

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || event.altKey || event.key === 'Shift') return
  const hasCtrl = event.ctrlKey || event.metaKey
  const isTaken = (hasCtrl ? HAS_TEXT : TAKES_LETTERS).includes(focusKindOf(document.activeElement))
  const known =
    isTaken || backLayers.count() > 0 ? [] : activeKeys().flatMap(({ keys }) => keys.filter(({ run }) => run))
  const match = hasCtrl ? withCtrl(event, known) : singleKey(event, known)
  if (match === undefined) return
  event.preventDefault()
  match.run?.()
}

const withCtrl = (event: KeyboardEvent, known: readonly PageKey[]): PageKey | undefined =>
  known.find(({ keys }) => keys === keyWithCtrl(event))

function singleKey(event: KeyboardEvent, known: readonly PageKey[]): PageKey | undefined {
  if (!areKeysOn()) {
    pending = undefined
    return undefined
  }
  const result = matchKeys(known, { key: event.key, atMs: event.timeStamp }, pending)
  pending = result.pending
  return result.match
}

/**
 * Makes the keys of a part of the page work while it is mounted, and lists them (`?`). They do nothing in a field or under
 * an open dialog or menu.
 */
export function usePageKeys(group: KeyGroup): void {
  const latest = useRef(group)
  useLayoutEffect(() => {
    latest.current = group
  })
  useEffect(() => {
    groups.push(latest)
    if (groups.length === 1) window.addEventListener('keydown', onKeyDown)
    return () => {
      groups.splice(groups.indexOf(latest), 1)
      if (groups.length === 0) window.removeEventListener('keydown', onKeyDown)
    }
  }, [])
}
