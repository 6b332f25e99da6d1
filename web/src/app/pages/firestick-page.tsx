import { useBrand } from '../../lib/use-config.ts'
import { usePageTitle } from '../../lib/use-page-title.ts'

/** The download page. Its two links are the operator's to give; without them it says so. */
export function FirestickPage() {
  usePageTitle('Download for Firestick')
  const { shortName } = useBrand()
  return (
    <main id="main" className="mx-auto grid max-w-xl gap-4 px-4 py-12">
      <h1 className="text-2xl font-semibold">{shortName} for Firestick</h1>
      <p className="text-muted">
        Compatible with all Amazon Fire TV Stick models • Requires developer options enabled
      </p>
      <p>This station offers no download yet. Its page works in the browser of a Fire TV as well.</p>
    </main>
  )
}
