import { useEffect } from 'react'
import { useBrand } from '../api/use-config.ts'

/** Sets the document title, which the browser tab and screen readers show. */
export function usePageTitle(title?: string): void {
  const { name } = useBrand()
  useEffect(() => {
    document.title = title ? `${title} · ${name}` : name
  }, [title, name])
}
