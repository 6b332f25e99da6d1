import { idFromName } from '@looptide/service-kit/db/ids'

/** A well-known music video on its artist's YouTube channel, with its public metadata. */
export interface DemoVideo {
  youtubeId: string
  title: string
  artistName: string
  genre: string
  /** As 'm:ss'. */
  duration: string
  category: 'Must Watch' | 'Classics' | 'New Video Submissions'
}

const video = (
  category: DemoVideo['category'],
  youtubeId: string,
  artistName: string,
  title: string,
  genre: string,
  duration: string,
): DemoVideo => ({ category, youtubeId, artistName, title, genre, duration })

/** The music videos of the demo station. */
export const DEMO_VIDEOS: readonly DemoVideo[] = [
  video('Classics', 'dQw4w9WgXcQ', 'Rick Astley', 'Never Gonna Give You Up', 'Pop', '3:33'),
  video('Classics', 'djV11Xbc914', 'a-ha', 'Take On Me', 'Synth-pop', '4:05'),
  video('Classics', 'fJ9rUzIMcZQ', 'Queen', 'Bohemian Rhapsody', 'Rock', '6:00'),
  video('Classics', 'hTWKbfoikeg', 'Nirvana', 'Smells Like Teen Spirit', 'Grunge', '4:39'),
  video('Classics', '1w7OgIMMRc4', "Guns N' Roses", "Sweet Child O' Mine", 'Hard rock', '5:03'),
  video('Classics', 'Zi_XLOBDo_Y', 'Michael Jackson', 'Billie Jean', 'Pop', '4:56'),
  video('Classics', 'sOnqjkJTMaA', 'Michael Jackson', 'Thriller', 'Pop', '13:43'),
  video('Classics', 'L_jWHffIx5E', 'Smash Mouth', 'All Star', 'Alternative rock', '3:57'),
  video('Must Watch', '9bZkp7q19f0', 'PSY', 'Gangnam Style', 'K-pop', '4:13'),
  video('Must Watch', 'kJQP7kiw5Fk', 'Luis Fonsi', 'Despacito', 'Latin pop', '4:42'),
  video('Must Watch', 'OPf0YbXqDm0', 'Mark Ronson', 'Uptown Funk', 'Funk', '4:31'),
  video('Must Watch', 'YQHsXMglC9A', 'Adele', 'Hello', 'Soul', '6:07'),
  video('Must Watch', 'rYEDA3JcQqw', 'Adele', 'Rolling in the Deep', 'Soul', '3:54'),
  video('Must Watch', 'JGwWNGJdvx8', 'Ed Sheeran', 'Shape of You', 'Pop', '4:24'),
  video('New Video Submissions', 'RgKAFK5djSk', 'Wiz Khalifa', 'See You Again', 'Hip hop', '3:58'),
  video('New Video Submissions', '4NRXx6U8ABQ', 'The Weeknd', 'Blinding Lights', 'Synth-pop', '4:23'),
  video('New Video Submissions', 'nfWlot6h_JM', 'Taylor Swift', 'Shake It Off', 'Pop', '4:02'),
  video('New Video Submissions', '60ItHLz5WEA', 'Alan Walker', 'Faded', 'Electro house', '3:33'),
  video('New Video Submissions', 'hT_nvWreIhg', 'OneRepublic', 'Counting Stars', 'Pop rock', '4:44'),
  video('New Video Submissions', 'kXYiU_JCYtU', 'Linkin Park', 'Numb', 'Nu metal', '3:07'),
]

/** The id of a demo video. It is the same on every station, so that the seeds of other services can refer to it. */
export const demoVideoId = (youtubeId: string): string => idFromName(`demo:${youtubeId}`)
/** The id of a Test Card clip, by its file name. */
export const testCardVideoId = (file: string): string => idFromName(`demo:${file}`)
