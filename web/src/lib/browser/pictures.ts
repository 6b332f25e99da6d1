const TIMEOUT_MS = 10_000

/** Whether the page can load a URL as an image. The content security policy allows few hosts. */
export function canLoadImage(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const image = new Image()
    const timer = setTimeout(() => resolve(false), TIMEOUT_MS)
    const settle = (isLoaded: boolean) => {
      clearTimeout(timer)
      resolve(isLoaded)
    }
    image.onload = () => settle(true)
    image.onerror = () => settle(false)
    image.src = url
  })
}

const QUALITIES = [0.86, 0.7, 0.5] as const

/**
 * Encodes a canvas as an image of at most `maxBytes`: as WebP, or as `fallback` where the browser cannot write WebP.
 * Throws if the image stays too large at the lowest quality.
 */
export async function encodePicture(
  canvas: HTMLCanvasElement,
  maxBytes: number,
  fallback: 'image/jpeg' | 'image/png' = 'image/jpeg',
): Promise<Blob> {
  for (const quality of QUALITIES) {
    const encoded = (await encode(canvas, 'image/webp', quality)) ?? (await encode(canvas, fallback, quality))
    if (encoded && encoded.size <= maxBytes) return encoded
  }
  throw new Error('The picture is too large')
}

/** Undefined if the browser cannot write the type: it returns a blob of another type then. */
function encode(canvas: HTMLCanvasElement, type: string, quality: number): Promise<Blob | undefined> {
  return new Promise((resolve) => {
    canvas.toBlob((blob) => resolve(blob?.type === type ? blob : undefined), type, quality)
  })
}
