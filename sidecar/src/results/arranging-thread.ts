import { answerAsThread } from '../host/thread.ts';
import { arrangeFile } from './arrange-file.ts';

void answerAsThread(arrangeFile);
