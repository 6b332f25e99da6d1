import { useEffect } from 'react'
import { useBrand } from './use-config.ts'

/** Names the page in the browser's tab and to screen readers that announce it. */
export function usePageTitle(title?: string): void {
  const { name } = useBrand()
  useEffect(() => {
    document.title = title ? `${title} · ${name}` : name
  }, [title, name])
}
