/* Stand-in for the OpenGL utility library. */
#ifndef DRANO_STUB_GLU_H
#define DRANO_STUB_GLU_H
#include <GL/gl.h>
extern "C" {
int gluPerspective(...);
int gluLookAt(...);
int gluOrtho2D(...);
const GLubyte *gluErrorString(GLenum);
}
#endif
