import { fileURLToPath } from 'node:url'

/** What most visits load first: the app itself, its header, and the two pages that most visits begin with. */
const FIRST = ['main.tsx', 'app/app-header.tsx', 'app/pages/home-page.tsx', 'app/pages/videos-page.tsx']

/** Code of no single feature. */
const GENERAL = /\/(src\/(lib|ui)|packages\/(contracts|playhead)\/src)\//
/** Without what the first views do not need: the keys are for television and staff, the rest is for lists and details. */
const GENERAL_WITHOUT_KEYS =
  /\/(src\/lib\/(?!keys\/|remote\/|requests\/|count-text)|packages\/(contracts|playhead)\/src\/)/
/** From how many pages and parts on code is in a chunk with other such code. */
const MIN_SHARE_COUNT = 6

/** The part of Rolldown's context that is used here. */
interface Context {
  getModuleInfo: (id: string) => { importedIds: readonly string[] } | null
}

/**
 * Chunks of general code. As thirty small ones it would cost thirty requests, five round trips. What the first views do not
 * use is in a chunk of its own, so that they do not wait for it.
 */
export function chunkGroups() {
  let closures: readonly Set<string>[] | undefined
  /** Which of the first views import a module, by their index. */
  const usersOf = (id: string, context: Context): number[] => {
    closures ??= FIRST.map((file) =>
      importsOf(fileURLToPath(new URL(`../src/${file}`, import.meta.url)), context),
    )
    return closures.flatMap((closure, index) => (closure.has(id) ? [index] : []))
  }
  const common = (id: string, context: Context): string | null => {
    const users = usersOf(id, context)
    return users.includes(0) || users.length > 1 ? 'common' : null
  }
  const lists = (id: string, context: Context): string | null =>
    usersOf(id, context).length > 0 ? 'lists' : null
  return [
    { debugName: 'common', name: common, test: GENERAL },
    { debugName: 'lists', name: lists, test: GENERAL, minShareCount: MIN_SHARE_COUNT },
    { name: 'shared', test: GENERAL_WITHOUT_KEYS, minShareCount: MIN_SHARE_COUNT },
  ]
}

/** A module and all modules that it imports statically. */
function importsOf(id: string, context: Context, found = new Set<string>()): Set<string> {
  if (found.has(id)) return found
  found.add(id)
  for (const imported of context.getModuleInfo(id)?.importedIds ?? []) importsOf(imported, context, found)
  return found
}
