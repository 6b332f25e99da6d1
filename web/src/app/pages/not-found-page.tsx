import { Link } from 'react-router-dom'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { buttonClass } from '../../ui/button.tsx'
import { paths } from '../paths.ts'

export function NotFoundPage() {
  usePageTitle('Page not found')
  return (
    <main
      id="main"
      className="grid min-h-[70dvh] place-content-center justify-items-center gap-3 p-6 text-center"
    >
      <h1 className="text-4xl font-bold">404</h1>
      <p className="text-lg text-muted">Oops! Page not found</p>
      <Link to={paths.root()} className={buttonClass('primary', 'mt-4')}>
        Return to Home
      </Link>
    </main>
  )
}
