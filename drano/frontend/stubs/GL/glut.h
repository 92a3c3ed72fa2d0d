/* Stand-in for the OpenGL utility toolkit. */
#ifndef DRANO_STUB_GLUT_H
#define DRANO_STUB_GLUT_H
#include <GL/gl.h>
#include <GL/glu.h>
enum {
  GLUT_RGB = 0, GLUT_RGBA = 0, GLUT_DOUBLE = 2, GLUT_DEPTH = 16, GLUT_LEFT_BUTTON = 0,
  GLUT_MIDDLE_BUTTON = 1, GLUT_RIGHT_BUTTON = 2, GLUT_DOWN = 0, GLUT_UP = 1,
  GLUT_ELAPSED_TIME = 700, GLUT_ACTION_ON_WINDOW_CLOSE = 0x1F9, GLUT_ACTION_GLUTMAINLOOP_RETURNS = 1,
  GLUT_WINDOW_WIDTH = 102, GLUT_WINDOW_HEIGHT = 103, GLUT_ACTIVE_SHIFT = 1, GLUT_ACTIVE_CTRL = 2
};
extern "C" {
#define DRANO_GLUT(name) int name(...);
DRANO_GLUT(glutInit) DRANO_GLUT(glutInitDisplayMode) DRANO_GLUT(glutInitWindowSize)
DRANO_GLUT(glutInitWindowPosition) DRANO_GLUT(glutCreateWindow) DRANO_GLUT(glutDestroyWindow)
DRANO_GLUT(glutDisplayFunc) DRANO_GLUT(glutReshapeFunc) DRANO_GLUT(glutKeyboardFunc)
DRANO_GLUT(glutMouseFunc) DRANO_GLUT(glutMotionFunc) DRANO_GLUT(glutIdleFunc)
DRANO_GLUT(glutTimerFunc) DRANO_GLUT(glutCloseFunc) DRANO_GLUT(glutMainLoop)
DRANO_GLUT(glutLeaveMainLoop) DRANO_GLUT(glutPostRedisplay) DRANO_GLUT(glutSwapBuffers)
DRANO_GLUT(glutSetWindowTitle) DRANO_GLUT(glutReshapeWindow) DRANO_GLUT(glutGet)
DRANO_GLUT(glutGetModifiers) DRANO_GLUT(glutSetOption) DRANO_GLUT(glutReportErrors)
#undef DRANO_GLUT
}
#endif
