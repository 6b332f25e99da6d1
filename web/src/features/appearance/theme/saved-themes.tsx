import type { ThemeBody } from '@looptide/contracts/http/admin'
import { isSameTheme } from '../../../lib/theme/local-theme.ts'
import { dateLocale } from '../../../lib/time/date-locale.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorNotice } from '../../../ui/notice.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useSavedThemes } from './api.ts'
import { Swatches } from './swatches.tsx'

/** Lists recently saved themes, to apply one again. */
export function SavedThemes(props: { shown: ThemeBody; onChoose: (theme: ThemeBody) => void }) {
  const { data, error, mutate } = useSavedThemes()
  const saved = data?.items
  return (
    <section className="grid gap-3" aria-labelledby="saved-themes">
      <h3 id="saved-themes" className="font-semibold">
        Previously Saved
      </h3>
      {!saved && !error && <Skeleton className="h-16" />}
      {!saved && error !== undefined && (
        <ErrorNotice text="Failed to load saved themes." onRetry={() => void mutate()} />
      )}
      {saved?.length === 0 && (
        <p className="text-sm text-muted">Saved themes are listed here, so that you can use them again.</p>
      )}
      {saved && saved.length > 0 && (
        <ul className="grid max-h-96 gap-2 overflow-y-auto p-1 sm:grid-cols-2">
          {saved.map(({ id, theme, createdAt }) => {
            const time = new Date(createdAt).toLocaleString(dateLocale, {
              dateStyle: 'medium',
              timeStyle: 'short',
            })
            return (
              <li key={id} className="flex items-center gap-3 rounded-md border border-line p-2">
                <Swatches theme={theme} />
                <span className="min-w-0 flex-1 text-sm">
                  <span className="block truncate font-medium">{time}</span>
                  <span className="block truncate text-muted">{theme.fontFamily}</span>
                </span>
                {isSameTheme(theme, props.shown) ? (
                  <span className="px-3 text-sm text-muted">Current</span>
                ) : (
                  <Button aria-label={`Use Again: theme of ${time}`} onClick={() => props.onChoose(theme)}>
                    Use Again
                  </Button>
                )}
              </li>
            )
          })}
        </ul>
      )}
    </section>
  )
}
