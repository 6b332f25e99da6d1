import { basename } from 'node:path'

/** The folders of a feature, whose names say which browser tests use it. */
const FEATURE = /^(?:web\/src\/features|services\/[^/]+\/src(?:\/features)?)\/(.+)\/[^/]+$/

/**
 * The browser tests that match changed files: those that changed themselves, and those that are named after a changed
 * feature (`chat.e2e.ts` for `web/src/features/chat/`, `admin-users.e2e.ts` for `users`).
 */
export function browserTestsFor(changed: readonly string[], all: readonly string[]): string[] {
  const features = new Set(changed.flatMap((path) => FEATURE.exec(path)?.[1]?.split('/') ?? []))
  return all.filter((file) => changed.includes(file) || wordsOf(file).some((word) => features.has(word)))
}

/** `admin-home.e2e.ts` is about `admin-home` and `home`; `playlists.e2e.ts` about `playlists`. */
function wordsOf(file: string): string[] {
  const name = basename(file, '.e2e.ts')
  return [name, name.replace(/^admin-/, '')]
}
