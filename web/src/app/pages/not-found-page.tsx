import { Link } from 'react-router-dom'
import { usePageTitle } from '../../lib/browser/use-page-title.ts'
import { paths } from '../../lib/paths.ts'
import { buttonClass } from '../../ui/button.tsx'

/** The page for unknown paths (docs/product/admin.md, "Not-found page"). */
export function NotFoundPage() {
  usePageTitle('Page not found')
  return (
    <main
      id="main"
      className="grid min-h-[75dvh] place-content-center justify-items-center gap-3 p-6 text-center"
    >
      <h1 className="bg-linear-to-b from-text to-muted/60 bg-clip-text text-[clamp(6rem,4rem+12vw,13rem)] leading-none font-bold tracking-tighter text-transparent">
        404
      </h1>
      <p className="text-xl text-muted">Oops! Page not found</p>
      <Link to={paths.root()} className={buttonClass('primary', 'mt-5 px-6 text-base')}>
        Return to Home
      </Link>
    </main>
  )
}
