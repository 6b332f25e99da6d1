import { type CSSProperties, useLayoutEffect, useState } from 'react'

/** Where the live view is: it is the live page, in the corner of another page, or on the home page. */
export type ViewPlace = 'page' | 'corner' | 'home'

/** Where the picture is: as the live view, or in the rectangle that the guide leaves free. */
export type PicturePlace = ViewPlace | 'guide'

const PAGE =
  'relative aspect-video min-h-50 w-full shrink-0 overlay:absolute overlay:inset-0 overlay:aspect-auto overlay:min-h-0'

/**
 * The classes of the places. The picture is moved by them alone: an embedded player that is moved in the document loads
 * again. YouTube requires at least 200×200 px, whatever the size of the text. In a window without room beside the guide
 * the picture stays on the page, behind the guide (web/src/styles/app.css).
 */
export const PICTURE_PLACES: Record<PicturePlace, string> = {
  page: `${PAGE} overlay:-z-10`,
  corner: 'relative h-(--corner-picture) min-h-[200px] w-[min(356px,100vw-4.5rem)] shrink-0 tall:w-full',
  home: 'relative size-full',
  guide: `${PAGE} guide-picture:fixed guide-picture:inset-auto guide-picture:top-(--guide-picture-top) guide-picture:left-(--guide-picture-left) guide-picture:z-40 guide-picture:aspect-auto guide-picture:h-(--guide-picture-height) guide-picture:w-(--guide-picture-width)`,
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

/** Keeps the space of a picture that is elsewhere, so that nothing on the page moves. */
export const PICTURE_GAP = `${PAGE} hidden guide-picture:block`
