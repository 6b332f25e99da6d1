import type { ThemeBody } from '@looptide/contracts/http/admin'
import { ConflictNotice } from '../drafts/conflict-notice.tsx'
import { changedFields, THEME_LABELS, type VersionedTheme } from './theme-version.ts'
import type { ThemeDraft } from './use-theme-draft.ts'

/** What another admin has changed in the theme since the draft was begun. */
export function ThemeConflict({ draft, conflict }: { draft: ThemeDraft; conflict: VersionedTheme }) {
  const before = draft.base?.theme
  return (
    <ConflictNotice
      title="Another admin has saved a theme."
      isBusy={false}
      onMerge={draft.merge}
      onOverwrite={draft.overwrite}
    >
      <ul className="grid gap-0.5">
        {before &&
          changedFields(before, conflict.theme).map((field) => (
            <li key={field} className="break-words">
              <span className="text-muted">{THEME_LABELS[field]}: </span>
              {shown(before[field])} → {shown(conflict.theme[field])}
            </li>
          ))}
      </ul>
    </ConflictNotice>
  )
}

const shown = (value: ThemeBody[keyof ThemeBody]): string => (value === null ? 'none' : String(value))
