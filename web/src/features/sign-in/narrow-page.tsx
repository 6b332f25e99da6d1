import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { paths } from '../../app/paths.ts'
import { useBrand } from '../../lib/use-config.ts'
import { Logo } from '../../ui/logo.tsx'

/** A page of one question: where mailed links land. */
export function NarrowPage({ title, children }: { title: string; children: ReactNode }) {
  const { shortName } = useBrand()
  return (
    <main id="main" className="mx-auto grid min-h-dvh max-w-md content-center gap-8 px-5 py-10">
      <Link to={paths.root()} className="lift justify-self-start rounded-md p-1">
        <Logo name={shortName} isLarge />
        <span className="sr-only"> home</span>
      </Link>
      <div className="grid gap-5 rounded-lg border border-line/70 bg-panel p-6 shadow-lift">
        <h1 className="text-xl font-semibold">{title}</h1>
        {children}
      </div>
    </main>
  )
}
