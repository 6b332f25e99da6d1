import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { useBrand } from '../../lib/api/use-config.ts'
import { paths } from '../../lib/paths.ts'
import { useStationPictures } from '../../lib/station-pictures.ts'
import { Logo } from '../../ui/logo.tsx'
import { Backdrop } from './backdrop.tsx'

/** A narrow page with a single form, for emailed links. */
export function NarrowPage({ title, children }: { title: string; children: ReactNode }) {
  const { shortName } = useBrand()
  const { logoUrl } = useStationPictures()
  return (
    <main
      id="main"
      className="relative isolate grid min-h-dvh content-center justify-items-center px-5 py-10"
    >
      <Backdrop />
      <div className="grid w-full max-w-md gap-8">
        <Link to={paths.root()} className="lift justify-self-start rounded-md p-1">
          <Logo name={shortName} imageUrl={logoUrl} isLarge />
          <span className="sr-only"> home</span>
        </Link>
        <div className="grid gap-5 rounded-lg border border-line/70 bg-panel p-6 shadow-lift sm:p-8">
          <h1 className="text-xl font-semibold">{title}</h1>
          {children}
        </div>
      </div>
    </main>
  )
}
