/** A number of videos in words: "1 video", "2 videos". */
export const countedVideos = (count: number): string => `${count} ${count === 1 ? 'video' : 'videos'}`
