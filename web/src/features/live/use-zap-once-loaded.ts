import { useEffect, useEffectEvent, useState } from 'react'

/** Changes the channel; a key that is pressed before the channels are known takes effect as soon as they are. */
export function useZapOnceLoaded(isLoaded: boolean, zap: (step: 1 | -1) => void) {
  const [early, setEarly] = useState<1 | -1>()
  const zapNow = useEffectEvent((step: 1 | -1) => {
    setEarly(undefined)
    zap(step)
  })
  useEffect(() => {
    if (isLoaded && early !== undefined) zapNow(early)
  }, [isLoaded, early])
  return isLoaded ? zap : setEarly
}
