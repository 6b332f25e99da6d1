import type { Answer } from './answer.ts'
import { type FakeVideo, type FakeVideos, isoDuration } from './videos.ts'

/** `GET /watch`: always 200, as the real page; errors are reported in its content. */
export function watchPage(query: URLSearchParams, videos: FakeVideos): Answer {
  const video = videos.get(query.get('v') ?? '')
  if (video?.consentWall === true) return html('<title>Before you continue to YouTube</title><form></form>')
  const response = playerResponse(video)
  // The real page has braces, quotes and `</` in its texts, and more script after the object.
  const script = JSON.stringify(response).replaceAll('</', '<\\/')
  const meta =
    video !== undefined && isShown(video) && !video.broadcast
      ? `<meta itemprop="duration" content="${isoDuration(video.durationS)}"><meta itemprop="name" content="Fake">`
      : ''
  return html(
    `${meta}<script nonce="x">var ytInitialPlayerResponse = ${script};var meta = document.createElement('meta');</script>` +
      '<script nonce="x">var ytInitialData = {"contents":{}};</script>',
  )
}

const html = (body: string): Answer => ({
  status: 200,
  html: `<!DOCTYPE html><html><body>${body}</body></html>`,
})
const isShown = (video: FakeVideo): boolean => video.state === 'public' || video.state === 'unembeddable'

function playerResponse(video: FakeVideo | undefined): object {
  if (video === undefined || video.state === 'removed') {
    return { playabilityStatus: { status: 'ERROR', reason: 'This video isn’t available anymore' } }
  }
  if (video.state === 'private') {
    return { playabilityStatus: { status: 'LOGIN_REQUIRED', messages: ['This is a private video.'] } }
  }
  const { broadcast } = video
  const lengthSeconds = broadcast ? '0' : String(video.durationS)
  return {
    responseContext: { note: 'text with "};" and <b>braces</b> {in} it' },
    playabilityStatus: {
      status: broadcast?.state === 'upcoming' ? 'LIVE_STREAM_OFFLINE' : 'OK',
      playableInEmbed: video.state !== 'unembeddable',
    },
    videoDetails: {
      videoId: video.id,
      title: video.title,
      lengthSeconds,
      shortDescription: video.description,
      author: video.channel,
      isLiveContent: Boolean(broadcast),
      ...(broadcast?.state === 'upcoming' ? { isUpcoming: true } : {}),
      ...(broadcast?.state === 'live' ? { isLive: true } : {}),
    },
    microformat: {
      playerMicroformatRenderer: {
        lengthSeconds,
        isUnlisted: false,
        ...(broadcast
          ? {
              liveBroadcastDetails: {
                isLiveNow: broadcast.state === 'live',
                startTimestamp: broadcast.scheduledStart,
              },
            }
          : {}),
      },
    },
  }
}
