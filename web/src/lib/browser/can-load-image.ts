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
