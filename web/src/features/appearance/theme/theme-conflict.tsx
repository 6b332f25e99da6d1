import type { ThemeBody } from '@looptide/contracts/http/admin'
import { ConflictNotice } from '../../admin/drafts/conflict-notice.tsx'
import { useEditorName } from '../../audit/api.ts'
import { useSavedThemes } from './api.ts'
import { changedFields, THEME_LABELS, type VersionedTheme } from './theme-version.ts'
import type { ThemeDraft } from './use-theme-draft.ts'

/** Lists what another admin has changed in the theme since the draft was started. */
export function ThemeConflict({ draft, conflict }: { draft: ThemeDraft; conflict: VersionedTheme }) {
  const before = draft.base?.theme
  // The ETag is made of the saved theme's id.
  const saved = useSavedThemes().data?.items.find(({ id }) => conflict.etag.includes(id))
  return (
    <ConflictNotice
      title="Another admin has saved a theme."
      changedBy={useEditorName(saved?.createdBy)}
      isBusy={false}
      onMerge={draft.merge}
      onOverwrite={draft.overwrite}
    >
      <ul className="grid gap-0.5">
        {before &&
          changedFields(before, conflict.theme).map((field) => (
            <li key={field} className="break-words">
              <span className="text-muted">{THEME_LABELS[field]}: </span>
              {valueText(before[field])} → {valueText(conflict.theme[field])}
            </li>
          ))}
      </ul>
    </ConflictNotice>
  )
}

const valueText = (value: ThemeBody[keyof ThemeBody]): string => (value === null ? 'none' : String(value))
