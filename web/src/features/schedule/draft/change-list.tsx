import type { Change } from '../model/compare.ts'

const KINDS: readonly Change['kind'][] = ['Added', 'Removed', 'Changed']
const SHOWN = 8

/** Lists what was added to, removed from and changed in a document, one line for each kind. */
export function ChangeList({ changes }: { changes: readonly Change[] }) {
  if (changes.length === 0) return <p className="text-muted">Nothing was changed.</p>
  return (
    <ul className="grid gap-0.5">
      {KINDS.map((kind) => {
        const labels = changes.filter((change) => change.kind === kind).map(({ label }) => label)
        const more = labels.length - SHOWN
        return labels.length === 0 ? null : (
          <li key={kind} className="break-words">
            <span className="text-muted">{kind}: </span>
            {labels.slice(0, SHOWN).join(', ')}
            {more > 0 && ` and ${more} more`}
          </li>
        )
      })}
    </ul>
  )
}
