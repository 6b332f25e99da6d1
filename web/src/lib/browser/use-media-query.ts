import { useEffect, useState } from 'react'

/** Whether a media query matches; updated on change. */
export function useMediaQuery(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches)
  useEffect(() => {
    const list = matchMedia(query)
    const listener = () => setMatches(list.matches)
    listener()
    list.addEventListener('change', listener)
    return () => list.removeEventListener('change', listener)
  }, [query])
  return matches
}
