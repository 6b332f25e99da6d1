import { type CSSProperties, useLayoutEffect, useState } from 'react'

/** Where the live picture is shown: on the live page, in the corner of another page, or on the home page. */
export type PicturePlace = 'page' | 'corner' | 'home'

/**
 * Classes of the picture at each place. The element stays the same: an embedded player that is moved in the document loads
 * again. YouTube requires at least 200×200 px, whatever the size of the text.
 */
export const PICTURE_CLASSES: Record<PicturePlace, string> = {
  page: 'relative aspect-video min-h-50 w-full shrink-0 overlay:absolute overlay:inset-0 overlay:-z-10 overlay:aspect-auto overlay:min-h-0',
  corner: 'relative h-(--corner-picture) min-h-[200px] w-[min(356px,100vw-4.5rem)] shrink-0 tall:w-full',
  home: 'relative size-full',
}

/** Styles that place an absolutely positioned element over another one of the document, also while that moves. */
export function useAreaOf(element: HTMLElement | undefined): CSSProperties | undefined {
  const [area, setArea] = useState<CSSProperties>()
  useLayoutEffect(() => {
    if (!element) {
      setArea(undefined)
      return
    }
    const measure = () => {
      const { left, top, width, height } = element.getBoundingClientRect()
      setArea({ left: left + window.scrollX, top: top + window.scrollY, width, height })
    }
    measure()
    // What is above the element changes the height of the body.
    const observer = new ResizeObserver(measure)
    for (const observed of [element, document.body]) observer.observe(observed)
    return () => observer.disconnect()
  }, [element])
  return area
}
