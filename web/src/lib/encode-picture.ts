const QUALITIES = [0.86, 0.7, 0.5] as const

/**
 * What is on a canvas as a picture of at most `maxBytes`: WebP, or `otherwise` where the browser cannot write it.
 * Throws when it stays too large.
 */
export async function encodePicture(
  canvas: HTMLCanvasElement,
  maxBytes: number,
  otherwise: 'image/jpeg' | 'image/png' = 'image/jpeg',
): Promise<Blob> {
  for (const quality of QUALITIES) {
    const encoded =
      (await encode(canvas, 'image/webp', quality)) ?? (await encode(canvas, otherwise, quality))
    if (encoded && encoded.size <= maxBytes) return encoded
  }
  throw new Error('The picture is too large')
}

/** Undefined where the browser cannot write the type: it answers another one then. */
function encode(canvas: HTMLCanvasElement, type: string, quality: number): Promise<Blob | undefined> {
  return new Promise((resolve) => {
    canvas.toBlob((blob) => resolve(blob?.type === type ? blob : undefined), type, quality)
  })
}
