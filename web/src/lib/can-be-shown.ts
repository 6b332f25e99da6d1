const LOAD_MS = 10_000

/** Whether this page may show what is at an address: pictures come from a few hosts only. */
export function canBeShown(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const image = new Image()
    const timer = setTimeout(() => resolve(false), LOAD_MS)
    const settle = (answer: boolean) => {
      clearTimeout(timer)
      resolve(answer)
    }
    image.onload = () => settle(true)
    image.onerror = () => settle(false)
    image.src = url
  })
}
