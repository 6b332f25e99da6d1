import type { Answer } from './answer.ts'
import type { FakeVideos } from './videos.ts'

/** `GET /oembed`: 401 if embedding is disabled, 403 for a private video, 404 for a removed one, 400 for an invalid URL. */
export function oembed(query: URLSearchParams, videos: FakeVideos): Answer {
  const url = URL.parse(query.get('url') ?? '')
  const video = videos.get(url?.searchParams.get('v') ?? '')
  if (video === undefined) return { status: 400, text: 'Bad Request' }
  if (video.state === 'removed') return { status: 404, text: 'Not Found' }
  if (video.state === 'private') return { status: 403, text: 'Forbidden' }
  if (video.state === 'unembeddable') return { status: 401, text: 'Unauthorized' }
  return {
    status: 200,
    json: {
      title: video.title,
      author_name: video.channel,
      author_url: 'https://www.youtube.com/@fake',
      type: 'video',
      height: 113,
      width: 200,
      version: '1.0',
      provider_name: 'YouTube',
      provider_url: 'https://www.youtube.com/',
      thumbnail_height: 360,
      thumbnail_width: 480,
      thumbnail_url: `https://i.ytimg.com/vi/${video.id}/hqdefault.jpg`,
      html: `<iframe width="200" height="113" src="https://www.youtube.com/embed/${video.id}?feature=oembed"></iframe>`,
    },
  }
}
